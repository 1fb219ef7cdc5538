import type { Wire } from '../wire.js';
import { postmarkError } from './postmark-errors.js';

export const postmarkWire: Wire = {
  name: 'postmark',
  shape: postmarkError,
  user: null,
  secret: 'an API key, as the server token',
  tokenOf: ({ headers }) => {
    const token = headers['x-postmark-server-token'];
    return typeof token === 'string' && token !== '' ? token : undefined;
  },
};
