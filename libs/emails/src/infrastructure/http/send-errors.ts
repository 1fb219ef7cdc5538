import { DomainNotVerifiedError, SandboxDomainError, SendingDisabledError } from '#domains';
import {
  ConcurrentIdempotentRequestsError,
  InvalidIdempotencyKeyError,
  InvalidIdempotentRequestError,
} from '#idempotency';
import { MissingFieldError, NotFoundError } from '#kernel';
import type { DescribedRefusal } from '#http/openapi';
import { DailyQuotaExceededError, MonthlyQuotaExceededError } from '#rate-limit';
import { checkedValue, MissingVariablesError, TemplateNotPublishedError } from '#templates';
import {
  EmailTooLargeError,
  InvalidMailboxError,
  MissingBodyError,
  NoRoomForMailError,
  SenderNotAllowedError,
} from '../../domain/email-errors.js';
import { decodeAttachments } from './attachment.request.js';

/** What an email can be refused with. */
export const contentErrors = (): readonly DescribedRefusal[] => [
  new MissingFieldError('from'),
  new MissingBodyError(),
  new InvalidMailboxError('to'),
  () => decodeAttachments([{ filename: 'empty.pdf' }]),
  new DomainNotVerifiedError('acme.example'),
  new SendingDisabledError('acme.example'),
  new SandboxDomainError('sandbox.postrider.test'),
  new SenderNotAllowedError(),
  new NotFoundError('Template'),
  new TemplateNotPublishedError(),
  new MissingVariablesError(['ORDER']),
  () => checkedValue('ORDER', 'number', 'many'),
  new NotFoundError('Topic'),
  new EmailTooLargeError(),
  new NoRoomForMailError(),
];

/** The quotas that refuse emails. Operations that keys for sending may call have them by themselves. */
export const quotaErrors = (): readonly DescribedRefusal[] => [
  new DailyQuotaExceededError(new Date(0)),
  new MonthlyQuotaExceededError(new Date(0)),
];

/** What a request that sends an email can be refused with. */
export const sendErrors = (): readonly DescribedRefusal[] => [
  ...contentErrors(),
  new InvalidIdempotencyKeyError(),
  new InvalidIdempotentRequestError(),
  new ConcurrentIdempotentRequestsError(),
];
