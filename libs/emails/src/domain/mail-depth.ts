import { ValidationError } from '#kernel';

/**
 * The field in which automatic mail carries how many programs have answered each other until it was sent. It is signed, so
 * that a number is only believed if this installation has written it.
 */
export const depthField = 'X-Postrider-Depth';
export const lowerDepthField = depthField.toLowerCase();

/** Mail that is deeper is neither answered nor taken from a program that sends it. */
export const maxMailDepth = 10;

export class TooDeepMailError extends ValidationError {
  constructor() {
    super(
      `Programs have answered each other more than ${maxMailDepth} times until this email (\`${depthField}\`). ` +
        'This looks like a circle, so that it is not sent.',
    );
  }
}

/** Signs with the SECRET_KEY of this installation, and verifies with those before it, too. */
interface Signatures {
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, given: string): boolean;
}

const purpose = 'depth of automatic mail';

/** Writes and reads the depth of mail. */
export class MailDepth {
  constructor(private readonly signatures: Signatures) {}

  valueOf(depth: number): string {
    return `${depth}; ${this.signatures.sign(purpose, String(depth))}`;
  }

  /** Undefined: this installation has not written it. */
  read(value: string): number | undefined {
    const [, digits = '', signature = ''] = /^(\d{1,3}); ([\w-]{20,100})$/.exec(value.slice(0, 200).trim()) ?? [];
    return digits !== '' && this.signatures.verify(purpose, digits, signature) ? Number(digits) : undefined;
  }

  /** The header fields of an email that is taken, with the next depth in place of a given one. Throws TooDeepMailError. */
  counted(headers: Readonly<Record<string, string>> | null): Readonly<Record<string, string>> | null {
    const given = Object.keys(headers ?? {}).find((name) => name.toLowerCase() === lowerDepthField);
    if (headers === null || given === undefined) return headers;
    const { [given]: value = '', ...others } = headers;
    const depth = this.read(value);
    if (depth === undefined) return Object.keys(others).length === 0 ? null : others;
    if (depth > maxMailDepth) throw new TooDeepMailError();
    return { ...others, [depthField]: this.valueOf(depth + 1) };
  }
}
