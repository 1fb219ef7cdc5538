import { addressesOf, ReadEmails } from '#emails';
import { PermissionsOf, TeamId } from '#identity';
import { NotFoundError } from '#kernel';
import { found, ReadBudget } from '#http/server';
import { Describes, Operation, PathId, QueryParameter, Refuses, Responses } from '#http/openapi';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { UncheckableError } from '../../domain/message-facts.js';
import { EmailInsights } from '../../application/email-insights.query.js';
import { emailId, EmailInsightsResponse, findingsResponse } from './insights.response.js';

/** Bytes of memory per byte of a message while it is made and read. */
export const bytesPerByte = 6;

/** An addition of Postrider to the contract: what speaks for and against the delivery of an email. */
@Controller('emails')
@Describes('Emails')
@PathId('id', 'Id of the email.', emailId, 'Email')
@PermissionsOf('emails')
export class InsightsController {
  constructor(
    private readonly emails: ReadEmails,
    private readonly insights: EmailInsights,
    private readonly reads: ReadBudget,
  ) {}

  @Get(':id/insights')
  @Operation(
    'Get insights into an email',
    'Checks the message as a recipient gets it: signatures, records of the domain, sender, links, images, texts, header ' +
      'and size. Each finding says what was seen, what to do, and which document the rule comes from. Records are those ' +
      'that the last check of the domain found. An addition of Postrider.',
  )
  @QueryParameter('recipient', 'Address of the recipient. Default: the first one.', {}, 'ada@customer.example')
  @Responses(EmailInsightsResponse, 'The findings.')
  @Refuses(() => [new UncheckableError('the message has more than 1,000 parts')])
  async getEmailInsights(
    @TeamId() teamId: string,
    @Param('id') id: string,
    @Query('recipient') recipient: unknown,
  ): Promise<EmailInsightsResponse> {
    const email = found('Email', await this.emails.findMetadata(teamId, id));
    const recipientNo = typeof recipient === 'string' ? addressesOf(email).indexOf(recipient.trim()) : 0;
    if (recipientNo < 0) throw new NotFoundError('Recipient');
    const share = await this.reads.take(teamId, email.size * bytesPerByte);
    try {
      const findings = found('Content', await this.insights.of(email, recipientNo));
      return {
        object: 'email_insights',
        email_id: email.id,
        ...findingsResponse(findings),
      };
    } finally {
      share.release();
    }
  }
}
