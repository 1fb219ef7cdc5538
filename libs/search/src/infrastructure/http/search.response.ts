import { Always, Id, IdOrNull, ListOf, OneOf, Shape, Text, TextOrNull } from '#http/openapi';
import { foundKinds } from '../../domain/found-thing.js';
import type { FoundKind } from '../../domain/found-thing.js';

const exampleId = '0193a1f6-0b7e-7d25-9c48-a1b2c3d4e5f6';

@Shape('Something of the team.')
export class FoundThingResponse {
  @OneOf(foundKinds, 'What it is.', 'contact') object!: FoundKind;
  @Id('Its id.', exampleId) id!: string;
  @Text('Its name: of a contact without one the address, of a thread the subject.', 'Ada Lovelace') name!: string;
  @TextOrNull('What tells it from others: an address, an alias or a status. Null if there is none.', 'ada@example.org')
  detail!: string | null;
  @IdOrNull('Of a thread, the id of its inbox; otherwise null.') inbox_id!: string | null;
}

@Shape('What was found.')
export class SearchResponse {
  @Always('search') object!: 'search';
  @ListOf(FoundThingResponse, 'Up to five of each kind, by kind.') results!: readonly FoundThingResponse[];
}
