/** Ids in the examples of the API's description. */

export const messageId = '0193a1f4-5a31-7e08-b6c2-0d94f3a81e77';
