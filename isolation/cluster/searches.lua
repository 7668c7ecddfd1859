-- Searches that wait or run on engine hosts. ARGV[1] names the step; each step is atomic.
--
-- Each visitor has an account: the seconds of engines used, fading by half every HALF_LIFE (compare
-- engines/turns.py). What's kept is its logarithm plus the half-lives passed since 1970. All
-- accounts fade alike, so this number keeps its rank for good, and sorted sets hold the order.
-- In line nobody counts as having used less than GRAIN, when they came or were served last: so
-- equals take turns.
--
--   job:<id>           hash; lives only as long as the process that asked renews it
--   result:<id>        the answer, kept for a while in case its message is lost
--   queue:<rank>:<who> ids of jobs in order; rank 0 is games, 1 analyses
--   waiting:<rank>     visitors with a queue, by account
--   used               accounts
--   running            ids, by the time at which their host counts as dead
--   run:<id>           hash: host, who, at (charged until then), till (when it's given up)
--   held               engines that each visitor has right now
--   hosts, engines     hosts by the time at which they count as dead; their sizes

local PREFIX = "isolation:searches:"
local HALF_LIFE, GRAIN = 10, 0.1
local HOST_LIFE = 3     -- seconds without a sign of life from a host
local JOB_LIFE = 10     -- seconds without one from the process that asked
local RESULT_LIFE = 60
local QUEUE_LIFE = 3600 -- nothing waits that long: a queue left behind by dead processes
local TRIES = 3

local call = redis.call
local clock = call("TIME")
local now = tonumber(clock[1]) + tonumber(clock[2]) / 1e6

local function key(...) return PREFIX .. table.concat({...}, ":") end

local function log2(number) return math.log(number) / math.log(2) end

-- The logarithm of what was used, as it's kept; and back.
local function kept(seconds) return log2(seconds) + now / HALF_LIFE end
local function used(who)
    local score = call("ZSCORE", key("used"), who)
    return score and 2 ^ (score - now / HALF_LIFE) or 0
end

-- A visitor's place among those who wait.
local function place(who) return string.format("%.17g", kept(math.max(GRAIN, used(who)))) end

local function charge(who, seconds)
    local sum = used(who) + seconds
    if sum > 0 then call("ZADD", key("used"), string.format("%.17g", kept(sum)), who) end
    for rank = 0, 1 do call("ZADD", key("waiting", rank), "XX", place(who), who) end
end

local function enqueue(push, rank, who, id)
    call(push, key("queue", rank, who), id)
    call("EXPIRE", key("queue", rank, who), QUEUE_LIFE)
    call("ZADD", key("waiting", rank), "NX", place(who), who)
    call("PUBLISH", key("calls"), '{"wake": true}')
end

local function answer(id, channel, text)
    call("SET", key("result", id), text, "EX", RESULT_LIFE)
    call("DEL", key("job", id))
    call("PUBLISH", channel, text)
end

local function settle(id)
    local who, at = unpack(call("HMGET", key("run", id), "who", "at"))
    charge(who, math.max(0, now - at))
    call("HSET", key("run", id), "at", string.format("%.6f", now))
    return who
end

-- Free the engine that a job has.
local function release(id)
    if call("EXISTS", key("run", id)) == 1 then
        local who = settle(id)
        if call("HINCRBY", key("held"), who, -1) <= 0 then call("HDEL", key("held"), who) end
    end
    call("ZREM", key("running"), id)
    call("DEL", key("run", id))
end

-- Put a job back at the front, unless it has been tried often enough.
local function give_back(id, reason)
    release(id)
    if call("EXISTS", key("job", id)) == 0 then return end
    local who, rank, channel = unpack(call("HMGET", key("job", id), "who", "rank", "channel"))
    call("INCR", key("failures"))
    if call("HINCRBY", key("job", id), "tries", 1) >= TRIES then
        local text = TRIES .. " engines failed one after the other: " .. reason
        answer(id, channel, cjson.encode({id = id, error = text}))
    else
        enqueue("LPUSH", rank, who, id)
    end
end

local function bury_dead_hosts()
    for _, host in ipairs(call("ZRANGEBYSCORE", key("hosts"), "-inf", now)) do
        call("ZREM", key("hosts"), host)
        call("HDEL", key("engines"), host)
    end
    for _, id in ipairs(call("ZRANGEBYSCORE", key("running"), "-inf", now)) do
        give_back(id, "their host went silent")
    end
    call("ZREMRANGEBYSCORE", key("used"), "-inf", kept(GRAIN / 100))
end

-- Take a job out of its queue.
local function dequeue(id)
    local who, rank = unpack(call("HMGET", key("job", id), "who", "rank"))
    call("LREM", key("queue", rank, who), 1, id)
    if call("LLEN", key("queue", rank, who)) == 0 then call("ZREM", key("waiting", rank), who) end
end

-- Give a job an engine of a host.
local function begin(host, id)
    local who, seconds = unpack(call("HMGET", key("job", id), "who", "seconds"))
    charge(who, 0)
    call("HINCRBY", key("held"), who, 1)
    call("ZADD", key("running"), now + HOST_LIFE, id)
    call("HSET", key("run", id), "host", host, "who", who,
        "at", string.format("%.6f", now), "till", string.format("%.6f", now + seconds))
end

local function places()
    local sum = 0
    for _, engines in ipairs(call("HVALS", key("engines"))) do sum = sum + engines end
    return sum
end

-- A visitor's next job that somebody still waits for.
local function pop(rank, who)
    local queue = key("queue", rank, who)
    local id
    repeat
        id = call("LPOP", queue)
    until not id or call("EXISTS", key("job", id)) == 1
    if call("LLEN", queue) == 0 then call("ZREM", key("waiting", rank), who) end
    return id
end

-- The visitor who comes first and may have another engine: nobody holds all of them.
local function next_job()
    local most = math.max(1, places() - 1)
    for rank = 0, 1 do
        local at = 0
        while true do
            local who = call("ZRANGE", key("waiting", rank), at, at)[1]
            if not who then break end
            if tonumber(call("HGET", key("held"), who) or 0) >= most then
                at = at + 1
            else
                local id = pop(rank, who)
                if id then return id end
            end
        end
    end
end

local steps = {}

function steps.submit(id, who, rank, channel, seconds, body)
    if call("EXISTS", key("job", id), key("result", id)) > 0 then return end
    call("HSET", key("job", id), "who", who, "rank", rank, "channel", channel,
        "seconds", seconds, "body", body, "tries", 0, "asked", string.format("%.6f", now))
    call("EXPIRE", key("job", id), JOB_LIFE)
    enqueue("RPUSH", rank, who, id)
end

-- A sign of life of a process that asks. What it hasn't heard of: answers, and jobs that are gone.
function steps.watch(channel, ...)
    bury_dead_hosts()
    local answers, gone = {}, {}
    for _, id in ipairs({...}) do
        local text = call("GET", key("result", id))
        if text then
            table.insert(answers, text)
        elseif call("EXPIRE", key("job", id), JOB_LIFE) == 0 then
            table.insert(gone, id)
        end
    end
    local queued = 0
    for rank = 0, 1 do
        for _, who in ipairs(call("ZRANGE", key("waiting", rank), 0, -1)) do
            queued = queued + call("LLEN", key("queue", rank, who))
        end
    end
    call("PUBLISH", channel, "{}")
    local failures = tonumber(call("GET", key("failures")) or 0)
    return {answers, gone, {places(), call("ZCARD", key("running")), queued, failures}}
end

-- Whether the search runs, and so will answer; one that waits is forgotten.
function steps.stop(id)
    if call("EXISTS", key("run", id)) == 1 and call("EXISTS", key("job", id)) == 1 then
        call("HSET", key("job", id), "stop", 1)
        call("PUBLISH", key("calls"), cjson.encode({stop = id}))
        return 1
    end
    if call("EXISTS", key("job", id)) == 1 then
        dequeue(id)
        call("DEL", key("job", id))
    end
    return call("EXISTS", key("result", id))
end

function steps.take(host)
    bury_dead_hosts()
    local id = next_job()
    if not id then return false end
    begin(host, id)
    local channel, body, asked, stop =
        unpack(call("HMGET", key("job", id), "channel", "body", "asked", "stop"))
    return {id, channel, body, string.format("%.6f", now - asked), stop or "0"}
end

-- A sign of life of a host. Which of its searches to stop, and which nobody waits for any more.
function steps.renew(host, engines, ...)
    call("ZADD", key("hosts"), now + HOST_LIFE, host)
    call("HSET", key("engines"), host, engines)
    local stop, abandon = {}, {}
    for _, id in ipairs({...}) do
        local holder, till = unpack(call("HMGET", key("run", id), "host", "till"))
        local is_wanted = call("EXISTS", key("job", id)) == 1
        if holder == host then
            settle(id)
            call("ZADD", key("running"), math.min(now + HOST_LIFE, tonumber(till)), id)
        elseif is_wanted and not holder then -- Redis was away, or has lost its data
            dequeue(id)
            begin(host, id)
        end
        if not is_wanted then
            table.insert(abandon, id)
        elseif call("HEXISTS", key("job", id), "stop") == 1 then
            table.insert(stop, id)
        end
    end
    bury_dead_hosts()
    call("PUBLISH", key("host", host), "{}")
    return {stop, abandon}
end

-- The first answer counts, even if the job has been given to another host meanwhile.
function steps.finish(host, id, channel, text)
    if call("HGET", key("run", id), "host") == host then release(id) end
    answer(id, channel, text)
end

function steps.give_back(host, id, reason)
    if call("HGET", key("run", id), "host") == host then give_back(id, reason) end
end

function steps.leave(host)
    call("ZREM", key("hosts"), host)
    call("HDEL", key("engines"), host)
end

return steps[ARGV[1]](unpack(ARGV, 2))
