export { ParserThreads, type ParsingTask, ParsingModule } from './parser-threads.js';
export { type Parser, ParsingBusyError, UnreadableError } from './parser.js';
