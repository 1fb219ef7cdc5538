/** Ids in the examples of the API's description. */

export const domainId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';
export const changeId = '0193a1f0-22b1-7c40-8e0d-3f6a5b7c9d21';
export const emailId = '0193a1ef-5c20-7a1b-9d3e-6f8a0b2c4d15';
