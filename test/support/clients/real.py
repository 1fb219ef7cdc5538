"""Uses the Python client itself. It reads its base URL from RESEND_API_URL when it is imported."""

import json
import os

import resend

resend.api_key = os.environ["RESEND_API_KEY"]
sender = os.environ["TEST_SENDER"]
made = resend.Emails.send({"from": sender, "to": ["ada@inbox.test"], "subject": "From Python", "html": "<p>Hi</p>"})
email = resend.Emails.get(made["id"])
domains = resend.Domains.list()
try:
    resend.Emails.send({"from": sender, "to": ["ada@inbox.test"], "html": "<p>Hi</p>"})
    refused = None
except Exception as error:
    refused = str(error)
print(json.dumps([email["subject"], [domain["name"] for domain in domains["data"]], refused]))
