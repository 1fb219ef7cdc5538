import { dnsParsers } from './dns-parsers.js';
import { httpParsers } from './http-parsers.js';
import { mailParsers } from './mail-parsers.js';
import { RemoteParser } from './remote-parser.js';
import { smtpParsers } from './smtp-parsers.js';

/** Every parser of text that somebody else wrote: `test/integration/remote-parsers.test.ts` says which function is missing. */
export const allParsers: readonly RemoteParser[] = [...dnsParsers, ...smtpParsers, ...mailParsers, ...httpParsers];
