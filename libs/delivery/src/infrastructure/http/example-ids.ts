/** Ids in the examples of the API's description. */

export const workerId = '0193a1ee-1d10-7f3c-b2a4-90d6c81e4f57';
export const emailId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';
