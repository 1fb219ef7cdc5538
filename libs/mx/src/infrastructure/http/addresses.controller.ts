import { CurrentPrincipal, PermissionsOf } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { listResponse, toResponse } from '#http/server';
import { Describes, Operation, PathId, Refuses, Responses, ResponsesList, Takes } from '#http/openapi';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  AddressInPoolError,
  SendingAddressTakenError,
  KeepAddresses,
} from '../../application/keep-addresses.use-case.js';
import { addressId } from './example-ids.js';
import { addressChangesFrom, CreateAddressRequest, newAddressFrom, UpdateAddressRequest } from './pools.request.js';
import {
  addressSummary,
  RemovedAddressResponse,
  SendingAddressResponse,
  SendingAddressSummary,
} from './pools.response.js';

const noHostName = (): unknown => addressChangesFrom({ helo_name: 'out1' });

/** The addresses that mail of all teams leaves from. */
@Controller('machine-room/addresses')
@Describes('Machine room')
@PathId('id', 'Id of the address.', addressId, 'Address')
@PermissionsOf('installation')
export class AddressesController {
  constructor(private readonly addresses: KeepAddresses) {}

  @Post()
  @Operation('Add an address', 'An address is used once it is in a pool, and the pool is used by a team or a domain.')
  @Takes(CreateAddressRequest, 'The address.')
  @Responses(SendingAddressResponse, 'The address.', { status: 201 })
  @Refuses(() => [
    new SendingAddressTakenError(),
    noHostName,
    () => newAddressFrom({ address: 'out1.mail.example', helo_name: 'out1.mail.example' }),
  ])
  async createSendingAddress(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<SendingAddressResponse> {
    return { object: 'sending_address', ...addressSummary(await this.addresses.add(principal, newAddressFrom(body))) };
  }

  @Get()
  @Operation(
    'List addresses',
    'The addresses of the installation, newest first, in pages, with their reverse names and the machines that have them.',
  )
  @ResponsesList(SendingAddressSummary, 'A page of addresses.')
  async listSendingAddresses(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Readonly<Record<string, unknown>>,
  ) {
    return listResponse(await this.addresses.list(principal, parsePageRequest(query)), addressSummary);
  }

  @Get(':id')
  @Operation('Get an address', 'One address.')
  @Responses(SendingAddressResponse, 'The address.')
  async getSendingAddress(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<SendingAddressResponse> {
    return {
      object: 'sending_address',
      ...addressSummary(await this.addresses.find(principal, id)),
    };
  }

  @Patch(':id')
  @Operation(
    'Change an address',
    'Workers follow within moments. Mail that was to leave from an address that is not active any more takes another one of ' +
      'the pool; deliveries under way end.',
  )
  @Takes(UpdateAddressRequest, 'The changes.')
  @Responses(SendingAddressResponse, 'The address.', { example: { state: 'draining' } })
  @Refuses(() => [noHostName])
  async updateSendingAddress(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SendingAddressResponse> {
    const address = await this.addresses.change(principal, id, addressChangesFrom(body));
    return { object: 'sending_address', ...addressSummary(address) };
  }

  @Delete(':id')
  @Operation('Remove an address', 'Refused while a pool has it.')
  @Responses(RemovedAddressResponse, 'The address is removed.')
  @Refuses(() => [new AddressInPoolError()])
  async removeSendingAddress(@CurrentPrincipal() principal: Principal, @Param('id') removed: string) {
    await this.addresses.remove(principal, removed);
    return toResponse(RemovedAddressResponse, { id: removed });
  }
}
