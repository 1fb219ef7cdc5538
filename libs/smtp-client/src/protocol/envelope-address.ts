/**
 * Whether text may stand between the angle brackets of MAIL FROM or RCPT TO.
 *
 * Not whether the address is a good one (its receiver knows best) but whether it can only be read as one address:
 * a dot-string or quoted string, `@`, a domain or address literal (RFC 5321 section 4.1.2, widened by RFC 6531). No
 * control character, no bracket and no blank outside quotes gets through, so no second command or parameter can.
 */
export function isEnvelopeAddress(text: string): boolean {
  return text.length <= maxPathLength && pattern.test(text) && !loneSurrogate.test(text);
}

/** Whether an address needs SMTPUTF8 (RFC 6531). */
export function needsUtf8(address: string): boolean {
  return /[^\x00-\x7f]/.test(address);
}

/** RFC 5321 section 4.5.3.1.3 counts octets and brackets; some longer addresses do exist. */
const maxPathLength = 512;

const pattern =
  /^(?:[^\u0000-\u0020\u007f-\u00a0\u2028\u2029()<>[\]\\,;:@"]+|"(?:[^\u0000-\u001f\u007f-\u009f\u2028\u2029"\\]|\\[\x20-\x7e])*")@(?:[^\u0000-\u0020\u007f-\u00a0\u2028\u2029()<>[\]\\,;:@"]+|\[[\x21-\x5a\x5e-\x7e]+\])$/;

const loneSurrogate = /\p{Surrogate}/u;
