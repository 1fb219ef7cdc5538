import { PrincipalGuard, Requires } from '#identity';
import { ApiQuery, DescribedBy, Responses } from '#platform/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ReadDiagnosis } from '../../application/read-diagnosis.query.js';
import { ReadInstallation } from '../../application/read-installation.query.js';
import {
  InstallationDiagnosisResponse,
  diagnosisResponse,
  MachineRoomResponse,
  machineRoomResponse,
} from './machine-room.response.js';

/** The state of the installation, for its operator. The queue is beside it, in the delivery lib. */
@Controller('machine-room')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/machine-room.description.js'))
export class MachineRoomController {
  constructor(
    private readonly installation: ReadInstallation,
    private readonly diagnosis: ReadDiagnosis,
  ) {}

  @Get()
  @Requires('installation:read')
  @Responses(MachineRoomResponse)
  async state(): Promise<MachineRoomResponse> {
    return machineRoomResponse(await this.installation.execute());
  }

  @Get('diagnosis')
  @Requires('installation:read')
  @ApiQuery({ name: 'fresh', required: false, schema: { type: 'boolean' } })
  @Responses(InstallationDiagnosisResponse)
  async findings(@Query('fresh') fresh?: unknown): Promise<InstallationDiagnosisResponse> {
    return diagnosisResponse(await this.diagnosis.execute(fresh === 'true'));
  }
}
