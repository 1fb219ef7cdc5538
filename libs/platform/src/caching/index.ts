export { ShortCache } from './short-cache.js';
