import { ValidationError } from '#kernel';
import { thrownBy } from '#platform/api-description';
import { checkTeamName } from '#identity';
import { checkPassword, checkUserName, parseUserAddress } from '../../../domain/invitation.js';

export const userId = '0196f3a1-6f0b-7c3e-9d11-2f4e8a7b5c60';
export const teamId = '0196f3a1-7a2c-7d4f-8e22-3a5f9b8c6d71';
export const invitationId = '0196f3a1-9c4e-7f6b-8a44-5c7b1d0e8f93';
export const createdAt = '2026-11-28 09:12:44.08+00';
export const email = 'grace@example.com';
export const linkToken = 'kq3Zx0vT7mW2bN8sR5cJ1hL9pY4gD6fA';
export const password = 'correct horse battery staple';

export const role = 'What the member may do: `owner`, `admin`, `developer` or `viewer`.';
export const wrongRole = new ValidationError('The `role` field must be "owner" | "admin" | "developer" | "viewer".');
export const wrongTeamName = thrownBy(() => checkTeamName(''));
export const wrongUserName = thrownBy(() => checkUserName(''));
export const wrongPassword = thrownBy(() => checkPassword(''));
export const wrongAddress = thrownBy(() => parseUserAddress('nobody'));
