import type { BrandLogo } from '#domains';
import { ValidationError } from '#kernel';

/**
 * What the checks look at in a message. It is read in a thread of its own, and is small whatever the message is: lists
 * and texts are cut, and the counts are those of the whole message.
 */
export interface MessageFacts {
  /** Bytes of the whole message. */
  readonly size: number;
  /** Bytes of its longest line, without the line end. */
  readonly longestLine: number;
  /** Header fields in their order, decoded. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly signatures: readonly SignatureFacts[];
  /** Null if the message has no such part. */
  readonly html: HtmlFacts | null;
  readonly text: string | null;
  readonly files: readonly FileFacts[];
}

export interface SignatureFacts {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: string;
  /** Whether it is valid over these bytes with the key that the DNS is to have. */
  readonly isValid: boolean;
  /** Length of an RSA key; null for others, and for a signature that was not verified. */
  readonly keyBits: number | null;
}

export interface HtmlFacts {
  readonly bytes: number;
  /** Bytes in `style` elements and attributes. */
  readonly styleBytes: number;
  /** What a reader sees. */
  readonly text: string;
  /** The beginning of all text, hidden text included: mailboxes show it beside the subject. */
  readonly preview: string;
  readonly links: readonly LinkFacts[];
  readonly linkCount: number;
  readonly images: readonly ImageFacts[];
  readonly imageCount: number;
  /** Elements that mail clients remove or warn of, such as `script` and `form`. */
  readonly activeElements: readonly string[];
  /** What mail clients leave out: keys of `features` in `checks/appearance.ts`. */
  readonly features: readonly string[];
  /** Text with a colour of its own or on a coloured background, each pair of colours once. */
  readonly colours: readonly ColouredText[];
  /** Whether it says which colours it has in dark mode. */
  readonly hasColourScheme: boolean;
}

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [number, number, number];

export interface ColouredText {
  readonly text: Colour;
  readonly background: Colour;
  /** The beginning of the first text that looks like this. */
  readonly sample: string;
}

export interface LinkFacts {
  readonly url: string;
  /** In lower case, internationalized names in Unicode. */
  readonly host: string;
  /** The registrable domain of the host; the host if it has none. */
  readonly site: string;
  readonly isIpAddress: boolean;
  readonly text: string;
  /** The registrable domain of the host that the text shows; null if it shows none. */
  readonly shownSite: string | null;
}

export interface ImageFacts {
  readonly source: string;
  /** Null without an `alt` attribute. */
  readonly alt: string | null;
}

export interface FileFacts {
  readonly filename: string | null;
  readonly contentType: string;
  /** The html refers to it. */
  readonly isInline: boolean;
  readonly size: number;
}

/** A record of the sending domain as its last check found it. */
export interface RecordFacts {
  readonly kind: string;
  readonly name: string;
  readonly status: string;
  /** What was found and what to do; undefined if all is well. */
  readonly advice: string | undefined;
}

/** What asking for a link gave: the status of the last response, or why there was none. */
export type LinkReply = { readonly status: number } | { readonly failure: LinkFailure };

export type LinkFailure = 'unknown_name' | 'not_public' | 'timeout' | 'unreachable' | 'too_many_redirects';

export interface AskedLink {
  readonly url: string;
  readonly reply: LinkReply;
}

/** What became of the links of a message. */
export interface AskedLinks {
  readonly asked: readonly AskedLink[];
  /** Links for which there was no room or no time. */
  readonly left: number;
}

/** What is known of a message beside its bytes. */
export interface MailFacts {
  readonly domain: {
    readonly name: string;
    /** The registrable domain. */
    readonly site: string;
    /** The built-in domain, whose mail never leaves the machine. */
    readonly isSandbox: boolean;
    readonly returnPathHost: string;
    readonly records: readonly RecordFacts[];
    /** Of the oldest key that signs; null if none does. */
    readonly signingKeyMadeAt: Date | null;
    /** Of its BIMI record; null if that was not looked up. */
    readonly brandLogo: BrandLogo | null;
  };
  /** Mail of a broadcast or of a topic. */
  readonly isBulk: boolean;
  readonly tracksOpens: boolean;
  readonly tracksClicks: boolean;
  /** When the email was made. */
  readonly createdAt: Date;
  /** Null if they were not asked. */
  readonly askedLinks: AskedLinks | null;
}

export interface CheckedMessage extends MailFacts {
  readonly message: MessageFacts;
}

/** The value of the first header field with a name in lower case. */
export function fieldOf({ fields }: MessageFacts, name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

/** The message cannot be read within the limits of the checks. */
export class UncheckableError extends ValidationError {
  constructor(why: string) {
    super(`The message cannot be checked: ${why}.`);
  }
}
