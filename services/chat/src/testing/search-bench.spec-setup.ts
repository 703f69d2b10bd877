import type { JobRows } from '@parley/platform/jobs';
import type { Mongo } from '@parley/platform/mongo';
import type { Work } from '@parley/platform/work';
import { FillSearchKeys } from '../answers/message-search/fill-search-keys.ts';
import { SearchInProjects } from '../answers/message-search/search-in-projects.ts';
import { SearchService } from '../answers/message-search/search.service.ts';
import {
  ConversationsRepository,
  MessagePaths,
  MessagesRepository,
  ProjectNames,
  SearchedMessages,
} from '../conversations/index.ts';

type Store = {
  readonly mongo: Mongo;
  readonly work: Work;
  readonly outbox: { readonly jobs: { readonly rows: JobRows } };
};
type Bounds = { readonly page: number; readonly step: number };

class BoundedSearch extends SearchInProjects {
  protected override readonly bounds: Bounds;

  constructor(bounds: Bounds, ...parts: ConstructorParameters<typeof SearchInProjects>) {
    super(...parts);
    this.bounds = bounds;
  }
}

/** The search on a store; in projects it looks at no more messages than these. */
export function searchOn({ mongo, work, outbox }: Store, bounds: Bounds = { page: 2_000, step: 200 }) {
  const searched = new SearchedMessages(mongo);
  const [messages, conversations] = [new MessagesRepository(mongo), new ConversationsRepository(mongo)];
  const filling = new FillSearchKeys(messages, outbox.jobs.rows, work);
  const inProjects = new BoundedSearch(bounds, searched, messages, conversations);
  const names = new ProjectNames(mongo);
  const searching = new SearchService(searched, inProjects, names, filling, conversations, new MessagePaths(mongo));
  return { searching, filling };
}
