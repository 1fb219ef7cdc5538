import { accountParsers } from './account-parsers.js';
import { arrivingParsers } from './arriving-parsers.js';
import { audienceParsers } from './audience-parsers.js';
import { automationParsers } from './automation-parsers.js';
import { contentParsers } from './content-parsers.js';
import { dnsParsers } from './dns-parsers.js';
import { editorParsers } from './editor-parsers.js';
import { httpParsers } from './http-parsers.js';
import { mailParsers } from './mail-parsers.js';
import { providerParsers } from './provider-parsers.js';
import { RemoteParser } from './remote-parser.js';
import { smtpParsers } from './smtp-parsers.js';
import { wireParsers } from './wire-parsers.js';

/** Every parser of remote text. `test/integration/remote-parsers.test.ts` fails if one is missing here. */
export const allParsers: readonly RemoteParser[] = [
  ...dnsParsers,
  ...smtpParsers,
  ...mailParsers,
  ...httpParsers,
  ...contentParsers,
  ...audienceParsers,
  ...accountParsers,
  ...arrivingParsers,
  ...automationParsers,
  ...editorParsers,
  ...providerParsers,
  ...wireParsers,
];
