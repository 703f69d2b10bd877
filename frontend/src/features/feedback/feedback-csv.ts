import type { FeedbackItem } from '@parley/contracts';
import type { CsvRow } from '../../lib/csv.ts';

/** Without a word of the conversations: a file outlives the right to read them. */
export const csvRowOf = (item: FeedbackItem): CsvRow => ({
  id: item.id,
  ratedAt: item.ratedAt,
  rating: item.rating,
  reasons: item.reasons.join(' '),
  comment: item.comment,
  chatbot: item.chatbot.name,
  version: item.chatbot.version,
  model: item.model.label,
  reporter: item.reporter.name,
  state: item.state,
  assignee: item.assignee?.name ?? null,
  isAnswered: item.isAnswered ? 'yes' : 'no',
});
