"""What a program does with boto3 against Amazon SES. Arguments: base address, access key id, secret, sender. Prints JSON."""

import json
import sys

import boto3

base, key_id, secret, sender = sys.argv[1:]


def client(secret_key):
    return boto3.client(
        "sesv2",
        region_name="eu-central-1",
        endpoint_url=base,
        aws_access_key_id=key_id,
        aws_secret_access_key=secret_key,
    )


def simple(source):
    return {
        "FromEmailAddress": source,
        "Destination": {"ToAddresses": ["simple@boto.test"]},
        "Content": {"Simple": {"Subject": {"Data": "Grüße"}, "Body": {"Text": {"Data": "Hello"}}}},
    }


def refusal(send):
    try:
        send()
    except Exception as error:
        return type(error).__name__ + " " + error.response["Error"]["Code"]
    return None


ses = client(secret)
large = f"From: {sender}\r\nTo: large@boto.test\r\nSubject: Large\r\n\r\n" + "As it is.\r\n" * 50_000
raw = {"Content": {"Raw": {"Data": large.encode()}}}
print(
    json.dumps(
        {
            "simple": ses.send_email(**simple(sender))["MessageId"],
            "large": ses.send_email(**raw)["MessageId"],
            "enabled": ses.get_account()["SendingEnabled"],
            "elsewhere": refusal(lambda: ses.send_email(**simple("me@elsewhere.test"))),
            "forged": refusal(lambda: client("x" * 40).send_email(**raw)),
        }
    )
)
