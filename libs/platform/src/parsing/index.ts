export { ParserThreads } from './parser-threads.js';
export type { ParsingTask } from './parser-threads.js';
export type { Parser } from './parser.js';
export { ParsingBusyError, UnreadableError } from './parsing-errors.js';
export { ParsingModule } from './parsing.module.js';
