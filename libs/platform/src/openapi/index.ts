export {
  nextOfPage,
  Responses,
  ResponsesAll,
  ResponsesFile,
  ResponsesList,
  Takes,
  TakesForm,
} from './response-decorators.js';
export { ApiDocument } from './api-document.js';
export { DescribedBy } from './described-by.js';
export { ApiBody, ApiExcludeController, ApiProperty, ApiPropertyOptional, ApiQuery } from './descriptions.js';
export { OpenApiModule } from './open-api.module.js';
export * from './properties.js';
