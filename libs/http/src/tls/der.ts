/** The part of DER (ITU-T X.690) that a certificate needs. */
export const tag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  /** GeneralName's choices (RFC 5280 section 4.2.1.6). */
  dnsName: 0x82,
  ipAddress: 0x87,
} as const;

export const oid = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
} as const;

export function der(type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type]), length(content.length), content]);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return der(tag.sequence, ...parts);
}

/** An explicit tag: `[number] EXPLICIT …`. */
export function contextual(number: number, content: Buffer): Buffer {
  return der(0xa0 | number, content);
}

/** A UTCTime, which can represent years up to 2049 (RFC 5280 section 4.1.2.5.1). */
export function utcTime(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(tag.utcTime, Buffer.from(`${digits}Z`));
}

export function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

function length(value: number): Buffer {
  if (value < 0x80) return Buffer.from([value]);
  const bytes = value < 0x100 ? [value] : [value >> 8, value & 0xff];
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
