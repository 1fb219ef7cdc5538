/** Ids in the examples of the API's description. */

export const emailId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';
export const otherEmailId = '0193a1f4-52e6-7c1e-9f0b-61c2f48d07aa';
export const attachmentId = '0193a1f4-52e6-7c1e-9f0b-7d0a3c5b9f12';
export const exampleId = '0193a1ee-0000-7000-8000-000000000000';
