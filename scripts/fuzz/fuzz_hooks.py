"""What a JSON Schema cannot say of a request: data made to be valid is made to hold it too."""

import json
import os
import re
import zlib
from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies as st
from urllib3.util import SKIP_HEADER

colours = ["gray", "RebeccaPurple", "#00ff7f", "#ABCDEF"]
schemathesis.openapi.format("css-color", st.sampled_from(colours))


@schemathesis.serializer("application/x-ndjson")
def as_lines(ctx, value):
    return str(value).encode("utf-8", "replace")


@schemathesis.hook
def before_call(context, case, kwargs):
    # The client library does not send this text, and fails.
    for name in [name for name, value in case.headers.items() if value == SKIP_HEADER]:
        del case.headers[name]
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    settle(case)
    # Only a cursor that the service gave is one.
    if isinstance(case.query, dict):
        case.query.pop("cursor", None)
        # Nothing happens while it waits.
        case.query.pop("wait", None)
        if "since" in case.query:
            case.query["since"] = BEGINNING
    # The pattern of these is not always followed.
    for name in ("If-Match", "If-None-Match"):
        if name in case.headers and not TAGS.fullmatch(str(case.headers[name]).strip()):
            case.headers[name] = '"1-x"'
    case.body = sound(whole(case))
    # A quota of next to nothing would refuse all that comes after.
    if case.path == "/api/quota" and isinstance(case.body, dict):
        case.body = {name: roomy(limit) for name, limit in case.body.items()}


# The cursor of a change log that has nothing yet.
BEGINNING = ".0.0"


def roomy(limit):
    return limit + 1_000_000 if isinstance(limit, int) and limit < 1_000_000 else limit


with open(os.environ["FUZZ_TOWN"]) as file:
    town = json.load(file)


def settle(case):
    """Lets half of the requests name what is there; of those that delete, few."""
    drawn = zlib.crc32(repr((case.path_parameters, case.body)).encode("utf-8", "replace"))
    if drawn % (16 if case.method == "DELETE" else 2) != 0 or not case.path_parameters:
        return
    home = town[drawn // 16 % len(town)]
    # All else is in the workspace.
    if case.method == "DELETE" and set(case.path_parameters) == {"id"}:
        return
    for name in case.path_parameters:
        known = home.get("workspaceId" if name == "id" else name)
        if known is not None:
            case.path_parameters[name] = known
    case.body = moved(case.body, home)


LISTS = {"tags": "tagId", "assignees": "memberId"}
OTHERS = {"parentId": "pageId", "authorId": "memberId", "createdById": "memberId"}


def moved(value, home):
    if isinstance(value, list):
        return [moved(item, home) for item in value]
    if not isinstance(value, dict):
        return value
    record = {key: moved(item, home) for key, item in value.items()}
    for key, item in record.items():
        if isinstance(item, str) and OTHERS.get(key, key) in home:
            record[key] = home[OTHERS.get(key, key)]
        elif isinstance(item, list) and item and isinstance(item[0], str) and key in LISTS:
            record[key] = [home[LISTS[key]]]
    return record


def whole(case):
    """Lets a body say all of what must fit together: what it leaves out is what is stored, which may not fit."""
    if not isinstance(case.body, dict):
        return case.body
    body = dict(case.body)
    if ("plannedStartDate" in body) != ("plannedEndDate" in body):
        body.setdefault("plannedStartDate", None)
        body.setdefault("plannedEndDate", None)
    if case.method == "PUT" and case.path.endswith("/access") and body.get("defaultAccess") is not None:
        body.setdefault("inherit", False)
    return body


TAGS = re.compile(r'\*|(W/)?"[!#-~\x80-\xff]*"([ \t]*,[ \t]*(W/)?"[!#-~\x80-\xff]*")*')


def sound(value):
    if isinstance(value, list):
        return [sound(item) for item in value]
    if not isinstance(value, dict):
        return value
    record = {key: sound(item) for key, item in value.items()}
    start, end = record.get("plannedStartDate"), record.get("plannedEndDate")
    if isinstance(start, str) and isinstance(end, str) and end < start:
        record["plannedStartDate"], record["plannedEndDate"] = end, start
    # A token and an invitation end in the future.
    if isinstance(record.get("expiresAt"), str):
        record["expiresAt"] = (datetime.now(timezone.utc) + timedelta(days=7)).isoformat()
    # A level goes with not inheriting, and only with that.
    if record.get("inherit") is False and record.get("defaultAccess") is None:
        record["defaultAccess"] = 100
    if record.get("inherit") is True:
        record.pop("defaultAccess", None)
    # One way to say where a task goes, and a task for a page of type task.
    places = [name for name in ("statusOrderKey", "beforeTaskId", "afterTaskId") if name in record]
    for name in places[1:]:
        del record[name]
    if record.get("type") in ("folder", "board"):
        record.pop("taskId", None)
    # An invitation names a page once.
    if isinstance(record.get("pages"), list):
        named = {page.get("pageId"): page for page in record["pages"] if isinstance(page, dict)}
        record["pages"] = list(named.values())
    # What must be a colour must not be anything else.
    if isinstance(record.get("color"), str) and not re.fullmatch("#[0-9a-fA-F]{6}|[a-z]{3,}", record["color"]):
        record["color"] = "gray"
    return record
