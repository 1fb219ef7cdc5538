"""Bulks, suppressed destinations and identities with boto3. Arguments: base address, access key id, secret, sender. Prints
JSON."""

import json
import sys

import boto3

base, key_id, secret, sender = sys.argv[1:]
ses = boto3.client(
    "sesv2",
    region_name="eu-central-1",
    endpoint_url=base,
    aws_access_key_id=key_id,
    aws_secret_access_key=secret,
)


def refusal(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__ + " " + error.response["Error"]["Code"]
    return None


def entry(address):
    data = {"ReplacementTemplate": {"ReplacementTemplateData": '{"NAME":"Ada"}'}}
    return {"Destination": {"ToAddresses": [address]}, "ReplacementEmailContent": data}


bulk = ses.send_bulk_email(
    FromEmailAddress=sender,
    DefaultContent={"Template": {"TemplateName": "welcome", "TemplateData": "{}"}},
    BulkEmailEntries=[entry("bulk@boto.test"), entry("no address")],
)["BulkEmailEntryResults"]
for number in range(2):
    ses.put_suppressed_destination(EmailAddress=f"boto+{number}@listed.test", Reason="COMPLAINT")
found = ses.get_suppressed_destination(EmailAddress="boto+1@listed.test")["SuppressedDestination"]
first = ses.list_suppressed_destinations(PageSize=1)
second = ses.list_suppressed_destinations(PageSize=1, NextToken=first["NextToken"])
for number in range(2):
    ses.delete_suppressed_destination(EmailAddress=f"boto+{number}@listed.test")
identities = [one["IdentityName"] for one in ses.list_email_identities()["EmailIdentities"]]
print(
    json.dumps(
        {
            "bulk": [one["Status"] for one in bulk],
            "suppressed": found["Reason"],
            "pages": [len(page["SuppressedDestinationSummaries"]) for page in (first, second)],
            "removed": refusal(lambda: ses.get_suppressed_destination(EmailAddress="boto+1@listed.test")),
            "identities": identities,
            "verified": ses.get_email_identity(EmailIdentity=identities[0])["VerifiedForSendingStatus"],
        }
    )
)
