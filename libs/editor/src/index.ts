export { parseDocument } from './domain/document/parse-document.js';
export { renderDocument } from './domain/rendering/render-document.js';
