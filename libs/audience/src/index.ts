export { audienceSchema } from './infrastructure/persistence/schema.js';
