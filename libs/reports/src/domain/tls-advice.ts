/** What each result of RFC 8460 section 4.3 means for a domain whose mail comes to this service, and what to do. */
const advice = new Map(
  Object.entries({
    success: 'The connection was encrypted as the policy asks.',
    'starttls-not-supported':
      'The mail host did not offer STARTTLS. Check that nothing between the sender and the host removes it.',
    'certificate-host-mismatch':
      'The certificate is not for the name of the mail host: install one that has this name.',
    'certificate-expired': 'The certificate had expired: renew it.',
    'certificate-not-trusted':
      'Senders do not trust the authority of the certificate: install one of a public authority, with its chain.',
    'validation-failure': 'The certificate could not be verified. The reason says more.',
    'tlsa-invalid': 'The TLSA record does not match the certificate: publish the record of the certificate in use.',
    'dnssec-invalid': 'The DNS answers could not be verified: check the DNSSEC signatures of the zone.',
    'dane-required': 'The sender requires DANE, and found no usable TLSA record.',
    'sts-policy-fetch-error': 'The MTA-STS policy could not be fetched: check the web server of mta-sts.<domain>.',
    'sts-policy-invalid': 'The MTA-STS policy could not be read: check its syntax.',
    'sts-webpki-invalid': 'The certificate of the web server of mta-sts.<domain> is not valid.',
  }),
);

export function tlsAdvice(result: string): string {
  return advice.get(result) ?? 'The sender gives no known reason.';
}
