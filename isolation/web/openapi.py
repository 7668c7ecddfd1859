"""The OpenAPI description of the HTTP API for bots, made from the table of commands."""

from typing import Any

from isolation.web.commands import REQUESTS, Request
from isolation.web.fields import schema_of
from isolation.web.identity import COOKIE


def description() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for request in REQUESTS:
        path = paths.setdefault(request.http.address, {})
        path[request.http.method.lower()] = _described(request)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Isolation, the API for bots", "version": "1"},
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
            "schemas": {"Error": _ERROR},
        },
    }


_TEXT = {"type": "string"}
_ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": _TEXT,
                "params": {"type": "object"},
                "message": _TEXT,
                "seconds": {"type": "number"},
            },
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}


def _described(request: Request) -> dict[str, Any]:
    kind = "application/x-ndjson" if request.http.is_stream else "application/json"
    done = f"done: {request.answer}" if request.answer else "done"
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    described: dict[str, Any] = {
        "operationId": request.command.name,
        "summary": request.summary,
        "parameters": _parameters(request),
        "responses": {
            "200": {"description": done, "content": {kind: {}}},
            "429": {"description": "too fast: `seconds` to wait", "content": refused},
            "default": {"description": "refused", "content": refused},
        },
        "security": _security(request),
    }
    if request.has_body:
        content = {"application/json": {"schema": request.body}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _parameters(request: Request) -> list[dict[str, Any]]:
    schemas = schema_of(request.fields)["properties"]
    query = request.http.query
    return [
        *(
            {"name": name, "in": "path", "required": True, "schema": schemas[name]}
            for name in request.in_path
        ),
        *([{"name": query.split("=")[0], "in": "query", "schema": _TEXT}] if query else []),
    ]


def _security(request: Request) -> list[dict[str, Any]]:
    if request.http.is_open:
        return []
    return [{"token": []}, {"cookie": []}] if request.http.takes_cookie else [{"token": []}]
