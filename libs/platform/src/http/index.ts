export { Admission } from './admission.js';
export { found, idFromPath, listAnswer, timestamp } from './answers.js';
export type { ListAnswer } from './answers.js';
export { admitLargeBodies } from './body-admission.js';
export { ContractExceptionFilter } from './contract-exception.filter.js';
export { decodeBody } from './decode-body.js';
export { answerOf } from './error-answer.js';
export type { ErrorBody } from './error-answer.js';
export { createFastifyAdapter, maximumBodySize } from './fastify-adapter.js';
