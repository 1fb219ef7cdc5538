import { DomainError } from '#kernel';
import { DiskGuard } from '#platform/disk';
import { Injectable } from '@nestjs/common';
import { RoomForImports } from '../../application/ports/room-for-imports.port.js';

class NoRoomForImportsError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'service_unavailable',
      'The service has no disk space for files at the moment. Please try again later.',
    );
  }
}

@Injectable()
export class DiskRoomForImports extends RoomForImports {
  constructor(private readonly guard: DiskGuard) {
    super();
  }

  check(): void {
    if (this.guard.isLow) throw new NoRoomForImportsError();
  }
}
