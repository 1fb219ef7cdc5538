import { Audited, changesNothing, PassesOn, PrincipalGuard, Requires, TeamId } from '#identity';
import { MissingFieldError } from '#kernel';
import { endTurn, listResponse } from '#http/server';
import { Describes, Operation, Refuses, ResponsesAll, Takes } from '#http/openapi';
import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { maxDomainsPerHour } from '../../application/ask-mail-hosts.js';
import { ValidateAddresses } from '../../application/validate-addresses.query.js';
import { decodeAddresses, maxAddresses, ValidateAddressesRequest } from './address-validation.request.js';
import { addressValidationResponse, AddressValidationResponse } from './address-validation.response.js';

/** An addition of Postrider to the contract: what is known about addresses. */
@Controller('contacts')
@Describes('Contacts')
@UseGuards(PrincipalGuard)
export class AddressValidationController {
  constructor(private readonly addresses: ValidateAddresses) {}

  @Post('validate')
  @Operation(
    'Validate addresses',
    `Says what speaks against sending to an address, or to each of up to ${maxAddresses}, in their order. Nothing is stored, and ` +
      'no mail host is asked: only the DNS is, and what your team has sent before. In an hour a team may ask about ' +
      `${maxDomainsPerHour.toLocaleString('en')} domains that are not known yet; those beyond are \`not_checked\`. An addition of ` +
      'Postrider.',
  )
  @Takes(ValidateAddressesRequest, 'The addresses.')
  @ResponsesAll(AddressValidationResponse, 'One entry for each address.')
  @Refuses(() => [
    new MissingFieldError('email'),
    () => decodeAddresses({ email: 'a@b.example', emails: ['a@b.example'] }),
    () => decodeAddresses({ emails: [] }),
  ])
  @Requires('audience:read')
  // A tool must have been given these, too.
  @PassesOn(['suppressions:read', 'emails:read'])
  @Audited(changesNothing)
  async validateAddresses(@TeamId() teamId: string, @Body() body: unknown, @Req() request: FastifyRequest) {
    // The answers of the DNS may take seconds, in which others shall have the places of this request.
    const items = await this.addresses.validate(teamId, decodeAddresses(body), () => endTurn(request));
    return listResponse({ items, hasMore: false }, addressValidationResponse);
  }
}
