import { expect, it } from '@jest/globals';
import { providerOf } from './provider-of.js';

it.each([
  ['ASPMX.L.Google.com', 'google'],
  ['@hotmail.com', 'microsoft'],
  ['mx3.mail.example.co.uk', 'example.co.uk'],
  ['@Example.NET', 'example.net'],
  ['localhost', 'others'],
  ['127.0.0.1', 'others'],
  ['<script>.evil.test', 'evil.test'],
  ['mx.<script>', 'others'],
  [`mx.${'a'.repeat(200)}.test`, 'others'],
])('the provider behind %s is %s', (receiver, provider) => {
  expect(providerOf(receiver)).toBe(provider);
});
