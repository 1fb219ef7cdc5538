import { DiskGuard } from '#observability/disk';
import { Injectable } from '@nestjs/common';
import { RoomForMail } from '../../application/ports/message-store.port.js';
import { NoRoomForMailError } from '../../domain/email-errors.js';

@Injectable()
export class DiskRoomForMail extends RoomForMail {
  constructor(private readonly guard: DiskGuard) {
    super();
  }

  check(): void {
    if (this.guard.isLow) throw new NoRoomForMailError();
  }
}
