"""Makes the requests of a plan as the Python client does, with the library that it uses.

The client sends a JSON body with every request, refuses answers that are not JSON, and gives its callers plain dictionaries: a field
that is absent raises KeyError.
"""

import json
import os
import sys

import requests

found = {}


def with_ids(body):
    if not isinstance(body, dict):
        return body
    return {key: found[value[1:]] if str(value).startswith("@") else value for key, value in body.items()}


for step in json.load(sys.stdin):
    path = step["path"].format(**found)
    response = requests.request(
        step["method"],
        os.environ["POSTRIDER_URL"] + path,
        json=with_ids(step.get("body", {})),
        headers={
            "Accept": "application/json",
            "Authorization": f"Bearer {os.environ['POSTRIDER_KEY']}",
            "User-Agent": "resend-python:2.0.0",
        },
        timeout=60,
    )
    if "application/json" not in response.headers["content-type"]:
        raise RuntimeError(f"{path} answers with {response.headers['content-type']}")
    answer = response.json()
    values = {}
    for field in step["reads"]:
        value = answer
        for part in field.split("."):
            value = value[int(part)] if isinstance(value, list) else value[part]
        values[field] = value
    if "id" in answer:
        found[step["name"]] = answer["id"]
    print(json.dumps([step["name"], response.status_code, values]))
