/** Ids in the examples of the API's description. */

export const teamId = '0196f3a1-7a2c-7d4f-8e22-3a5f9b8c6d71';
export const userId = '0196f3a1-6f0b-7c3e-9d11-2f4e8a7b5c60';
export const sessionId = '0196f3a1-8b3d-7e5a-9f33-4b6a0c9d7e82';
export const invitationId = '0196f3a1-9c4e-7f6b-8a44-5c7b1d0e8f93';
