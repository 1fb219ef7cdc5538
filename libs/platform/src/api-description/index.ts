export type { ApiDescription, ParameterDescription, Schema } from './api-description.js';
export { describedDocument } from './describe-document.js';
export type { GeneratedDocument } from './describe-document.js';
export { docsPage } from './docs-page.js';
export { idParameter, invalidId, pageErrors, pageParameters, thrownBy, wholeListParameters } from './parameters.js';
export { maxBodyMegabytes } from './shared-components.js';
