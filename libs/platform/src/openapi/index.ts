export { Answers, AnswersAll, AnswersList, ErrorAnswer, Takes } from './answer-decorators.js';
export { ApiDocument } from './api-document.js';
export { OpenApiModule } from './open-api.module.js';
export * from './properties.js';
