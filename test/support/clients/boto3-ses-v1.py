"""What a program does with boto3 against version 1 of Amazon SES. Arguments: base address, access key id, secret, id and
secret of a key that only sends, sender. Prints JSON."""

import json
import sys

import boto3
from botocore.config import Config

base, key_id, secret, sending_id, sending_secret, sender = sys.argv[1:]


def client(access_key_id, secret_key):
    return boto3.client(
        "ses",
        region_name="eu-central-1",
        endpoint_url=base,
        aws_access_key_id=access_key_id,
        aws_secret_access_key=secret_key,
        config=Config(retries={"total_max_attempts": 1}),
    )


def simple(source, **more):
    return {
        "Source": source,
        "Destination": {"ToAddresses": ["simple@botov1.test"], "CcAddresses": ["copy@botov1.test"]},
        "Message": {
            "Subject": {"Data": "Grüße & <mehr>", "Charset": "UTF-8"},
            "Body": {"Text": {"Data": "1 + 1 = 2 & 100 %"}, "Html": {"Data": "<p>Hello &amp; ü</p>"}},
        },
        **more,
    }


def refusal(send):
    try:
        send()
    except Exception as error:
        return type(error).__name__ + " " + error.response["Error"]["Code"]
    return None


ses = client(key_id, secret)
sending = client(sending_id, sending_secret)
large = f"From: {sender}\r\nTo: large@botov1.test\r\nSubject: Large\r\n\r\n" + "As it is.\r\n" * 500_000
domain = sender.split("@")[1].rstrip(">")
bulk = ses.send_bulk_templated_email(
    Source=sender,
    Template="welcome",
    DefaultTemplateData='{"NAME":"friend"}',
    DefaultTags=[{"Name": "kind", "Value": "bulk"}],
    Destinations=[
        {"Destination": {"ToAddresses": ["one@botov1.test"]}, "ReplacementTemplateData": '{"NAME":"Ada"}'},
        {"Destination": {"ToAddresses": ["two@botov1.test"]}},
        {"Destination": {"ToAddresses": ["not an address"]}},
    ],
)["Status"]
quota = ses.get_send_quota()
print(
    json.dumps(
        {
            "simple": ses.send_email(
                **simple(
                    sender,
                    ReplyToAddresses=["reply@botov1.test"],
                    Tags=[{"Name": "order", "Value": "A17"}],
                    ConfigurationSetName="newsletter",
                )
            )["MessageId"],
            "raw": sending.send_raw_email(
                Source=sender,
                Destinations=["large@botov1.test", "hidden@botov1.test"],
                RawMessage={"Data": large.encode()},
            )["MessageId"],
            "templated": ses.send_templated_email(
                Source=sender,
                Destination={"ToAddresses": ["templated@botov1.test"]},
                Template="welcome",
                TemplateData='{"NAME":"Ada"}',
            )["MessageId"],
            "bulk": [one["Status"] for one in bulk],
            "quota": {name: quota[name] for name in ["Max24HourSend", "MaxSendRate", "SentLast24Hours"]},
            "enabled": sending.get_account_sending_enabled()["Enabled"],
            "identities": ses.list_identities(IdentityType="Domain")["Identities"],
            "addresses": ses.list_identities(IdentityType="EmailAddress")["Identities"],
            "verification": ses.get_identity_verification_attributes(Identities=[domain, "elsewhere.test"])[
                "VerificationAttributes"
            ],
            "refused": {
                "elsewhere": refusal(lambda: ses.send_email(**simple("me@elsewhere.test"))),
                "forged": refusal(lambda: client(key_id, "x" * 40).send_email(**simple(sender))),
                "stranger": refusal(lambda: client("AKIAEXAMPLE", "x" * 40).send_email(**simple(sender))),
                "template": refusal(
                    lambda: ses.send_templated_email(
                        Source=sender,
                        Destination={"ToAddresses": ["no@botov1.test"]},
                        Template="nothing",
                        TemplateData="{}",
                    )
                ),
                "return path": refusal(lambda: ses.send_email(**simple(sender, ReturnPath="bounces@elsewhere.test"))),
                "verify": refusal(lambda: ses.verify_email_identity(EmailAddress="a@elsewhere.test")),
                "statistics": refusal(lambda: ses.get_send_statistics()),
                "read by a sending key": refusal(lambda: sending.get_send_quota()),
                "identities of a sending key": refusal(lambda: sending.list_identities()),
            },
        }
    )
)
