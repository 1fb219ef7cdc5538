export { FeedbackDataModule, FeedbackModule, FeedbackWorkerModule } from './feedback.module.js';
export { feedbackSchema } from './infrastructure/persistence/schema.js';
