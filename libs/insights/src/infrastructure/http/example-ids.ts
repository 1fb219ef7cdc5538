/** Ids in the examples of the API's description. */

export const exampleId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';
