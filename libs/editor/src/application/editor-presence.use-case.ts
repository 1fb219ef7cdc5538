import type { Principal } from '#identity';
import { Injectable } from '@nestjs/common';
import { agentForMs, ContentRef, Cursor, Presence, tabForMs } from '../domain/content.js';
import { ComposableContents } from './composable-contents.js';
import { PresenceBoard } from './ports/contents.port.js';

export interface ArrivalRequest {
  /** Of a tab. Programs have none. */
  readonly clientId?: string;
  readonly name?: string;
  readonly cursor?: Cursor;
}

export interface Room {
  readonly ref: ContentRef;
  readonly clientId: string;
  readonly isWriting: boolean;
  /** Of the content: a tab that has an older one reads it again. */
  readonly revision: number;
  readonly people: readonly Presence[];
}

const maxNameLength = 100;

/** Shows who has a content open, and where they write. All may write at once: their tabs merge what they wrote. */
@Injectable()
export class EditorPresence {
  constructor(
    private readonly contents: ComposableContents,
    private readonly board: PresenceBoard,
  ) {}

  /** Comes in, or stays: tabs and programs call it again and again. */
  async arrive(principal: Principal, ref: ContentRef, request: ArrivalRequest): Promise<Room> {
    const content = await this.contents.state(principal, ref);
    const isTab = request.clientId !== undefined;
    const name = (request.name ?? '').trim().slice(0, maxNameLength).toWellFormed();
    const clientId = request.clientId ?? agentId(principal, name);
    const mayWrite = isTab && content.isEditable && principal.may(`${ref.type}s:write`);
    const people = await this.board.arrive(
      {
        teamId: principal.teamId,
        ref: content.ref,
        clientId,
        name: name === '' ? (isTab ? '' : 'Agent') : name,
        kind: isTab ? 'person' : 'agent',
        actor: principal.actor,
        isWriting: mayWrite,
        cursor: request.cursor ?? null,
      },
      isTab ? tabForMs : agentForMs,
    );
    return { ref: content.ref, clientId, isWriting: mayWrite, revision: content.revision, people };
  }

  async leave(principal: Principal, ref: ContentRef, request: Omit<ArrivalRequest, 'cursor'>): Promise<void> {
    const content = await this.contents.state(principal, ref);
    const name = (request.name ?? '').trim().slice(0, maxNameLength).toWellFormed();
    await this.board.leave(principal.teamId, content.ref, request.clientId ?? agentId(principal, name));
  }
}

function agentId({ actor }: Principal, name: string): string {
  return `${actor.kind === 'service' ? 'service' : actor.id} ${name}`;
}
