/** Ids in the examples of the API's description. */

export const emailId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';
