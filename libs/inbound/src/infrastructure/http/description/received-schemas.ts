import type { ApiDescription } from '#platform/api-description';

const addition = 'An addition of Postrider.';
const verdict = (name: string): string =>
  `Verdict on ${name}. \`gray\`: neither right nor wrong. \`unknown\`: the sender publishes nothing.`;

const summaryFields = {
  id: 'Id of the received email.',
  to: 'Addresses of its `To` field.',
  from: 'Address of its author; empty where it names none.',
  created_at: 'When it was received.',
  subject: 'Subject line.',
  bcc: 'Addresses of its `Bcc` field; absent where it has none.',
  cc: 'Addresses of its `Cc` field; absent where it has none.',
  reply_to: 'Addresses for replies; absent where there are none.',
  received_for: 'Your addresses to which it was delivered.',
  authentication: 'Results of the authentication of its sender.',
  message_id: 'Its `Message-ID`, with angle brackets; empty where it has none.',
  attachments: 'Its attachments.',
  thread_id: `The same for all emails that answer the same first message. ${addition}`,
  plus_tag: `What follows the \`+\` in the address to which it was delivered; absent where there is none. ${addition}`,
  spam_score: `The score of the spam scorer; absent where none is configured, or it did not respond. ${addition}`,
};

const attachmentFields = {
  id: 'Id of the attachment.',
  filename: 'File name; absent where it has none.',
  content_type: 'Media type, as the sender says.',
  content_id: 'Name by which the html refers to it as `cid:<content_id>`; absent where it has none.',
  detected_type: `Media type that its first bytes show; absent where they show nothing. ${addition}`,
};

const linkFields = {
  ...attachmentFields,
  size: { description: 'Bytes, decoded.', minimum: 0 },
  content_disposition: 'How the sender wants it to be shown.',
  download_url: { description: 'URL of the content. Needs no API key, for about an hour.', format: 'uri' },
  expires_at: 'When `download_url` expires.',
};

export const receivedSchemas: ApiDescription['schemas'] = {
  ReceivedEmailSummaryResponse: { description: 'A received email without its content.', properties: summaryFields },
  ReceivedEmailResponse: {
    description: 'A received email.',
    properties: {
      object: 'Always `email`.',
      ...summaryFields,
      html: 'HTML body; absent where it has none.',
      html_format: '`data_uri`: the html contains inline images; `cid`: it refers to attachments.',
      text: 'Plain text body; absent where it has none.',
      headers: 'Headers by name, in lower case. Values of repeated fields are joined with line feeds.',
      raw: 'The source of the email.',
      reply_text: `What the author wrote, without quoted mail and signature; absent where that cannot be told. ${addition}`,
      envelope_from: `The envelope sender (RFC 5321); empty for bounces and automatic mail. ${addition}`,
      size: { description: `Bytes of the email as received. ${addition}`, minimum: 0 },
      verdicts: `Everything that was found out about its origin, in the words of RFC 8601, with the score and symbols of the spam scorer and the result of the virus scanner. ${addition}`,
    },
  },
  ReceivedAttachmentResponse: {
    description: 'An attachment of a received email.',
    properties: {
      ...attachmentFields,
      size: { description: 'Bytes, decoded; null where it is not known.', minimum: 0 },
      content_disposition: '`inline` or `attachment`; absent where the email does not say.',
    },
  },
  ReceivedAttachmentSummaryResponse: {
    description: 'An attachment of a received email, with a link to its content.',
    properties: linkFields,
  },
  ReceivedAttachmentFileResponse: {
    description: 'An attachment of a received email, with a link to its content.',
    properties: { object: 'Always `attachment`.', ...linkFields },
  },
  ReceivedEmailReferenceResponse: {
    description: 'Names a received email.',
    properties: { object: 'Always `email`.', id: 'Id of the received email.' },
  },
  AuthenticationResponse: {
    description: 'Results of the authentication of the sender of a received email.',
    properties: { spf: verdict('SPF (RFC 7208)'), dkim: verdict('DKIM (RFC 6376)'), dmarc: verdict('DMARC') },
  },
  RawEmailResponse: {
    description: 'The bytes of a received email.',
    properties: {
      download_url: { description: 'URL of the RFC 5322 source. Needs no API key, for about an hour.', format: 'uri' },
      expires_at: 'When `download_url` expires.',
    },
  },
};
