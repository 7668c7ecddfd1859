"""An agent for knights: looks deeper and deeper until its time is up."""

from sample_players import DataPlayer


class CustomPlayer(DataPlayer):
    def get_action(self, state):
        self.queue.put(state.actions()[len(state.actions()) // 2])
        if state.ply_count < 2:
            return
        for depth in range(1, 100):
            self.queue.put(self.best(state, depth))

    def best(self, state, depth):
        return max(state.actions(), key=lambda action: -self.value(state.result(action), depth - 1))

    def value(self, state, depth):
        """How good a position is for the player to move."""
        if state.terminal_test():
            return state.utility(state.player())
        if depth <= 0:
            own, other = state.locs[state.player()], state.locs[1 - state.player()]
            return len(state.liberties(own)) - len(state.liberties(other))
        return max(-self.value(state.result(action), depth - 1) for action in state.actions())
