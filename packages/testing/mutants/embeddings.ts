import type { Mutant } from './mutant.ts';

const step = 'services/chat/src/embeddings/embedding-step.ts';
const meaning = 'services/chat/src/embeddings/meaning-search.ts';
const vectors = 'services/chat/src/retrieval/passage-vectors.ts';
const stepSpec = 'chat/src/embeddings/embedding-step.spec';
const refusedSpec = 'chat/src/embeddings/refused-passages.spec';
const searchSpec = 'chat/src/embeddings/passage-search.spec';
const ledgerSpec = 'billing/src/ledger/ledger-embeddings.spec';

export const embeddingMutants: readonly Mutant[] = [
  {
    breaks: 'monitoring counts an embedding as an answer',
    file: 'services/monitoring/src/metrics/metric.ts',
    find: '  embeddingTokens: inputTokens,',
    put: '  attempts: 1, embeddingTokens: inputTokens,',
    spec: 'monitoring/src/metrics/metrics.spec',
  },
  {
    breaks: 'a passage that the model refuses keeps all others of its batch from their vectors',
    file: step,
    find: 'batch: Math.floor(passages.length / 2)',
    put: 'batch: passages.length',
    spec: refusedSpec,
  },
  {
    breaks: 'a server that refuses everything has all passages put aside',
    file: step,
    find: 'const { inputTokens } = await model.embed([harmless], signal);',
    put: 'const inputTokens = 0;',
    spec: refusedSpec,
  },
  {
    breaks: 'passages that were put aside are not asked for again with another model',
    file: vectors,
    find: 'hasVector: { $in: [true, false] }',
    put: 'hasVector: true',
    spec: refusedSpec,
  },
  {
    breaks: 'vectors of connections that the asker may not read are compared, and stand before theirs',
    file: 'services/chat/src/retrieval/vector-set.ts',
    find: 'if (within.has(connections[at]!) && length > 0)',
    put: 'if (length > 0)',
    spec: 'chat/src/retrieval/vector-set.spec',
  },
  {
    breaks: 'a hidden passage is found by what it means',
    file: vectors,
    find: '...inConnections(scope.orgId, within), isHidden: false });',
    put: '...inConnections(scope.orgId, within) });',
    spec: searchSpec,
  },
  {
    breaks: 'behind closer passages that are hidden nothing more is looked at',
    file: vectors,
    find: 'isMore = near.length === most;',
    put: 'isMore = false;',
    spec: searchSpec,
  },
  {
    breaks: 'hidden passages are sent to the model server',
    file: vectors,
    find: '{ orgId: scope.orgId, hasVector: null, isHidden: false },',
    put: '{ orgId: scope.orgId, hasVector: null },',
    spec: stepSpec,
  },
  {
    breaks: 'vectors of passages that are gone are stored',
    file: vectors,
    find: 'rows.filter(({ _id }) => there.has(_id))',
    put: 'rows',
    spec: stepSpec,
  },
  {
    breaks: 'vectors outlive their passages',
    file: 'services/chat/src/retrieval/keyword-index.ts',
    find: 'await forgetVectors({ vectors: this.vectors, stocks: this.stocks }, scope, { ids, tx });',
    put: '',
    spec: stepSpec,
  },
  {
    breaks: 'a question is compared with vectors of another model',
    file: meaning,
    find: 'return model?.key === row.of ? { row, model } : null;',
    put: 'return model ? { row, model } : null;',
    spec: stepSpec,
  },
  {
    breaks: 'a question is asked of the model although the budget is spent',
    file: meaning,
    find: 'await this.calls.hold(scope, call, { texts, withinMs: deadlineMs });',
    put: '',
    spec: searchSpec,
  },
  {
    breaks: 'a question that may have been answered costs nothing',
    file: meaning,
    find: 'if (mayHaveUsed(error)) await tell(mayBeUsed(estimatedTokens(texts)));',
    put: '',
    spec: searchSpec,
  },
  {
    breaks: 'a model server that is away is asked with each question',
    file: meaning,
    find: 'this.pausedUntil.set(scope.orgId, performance.now() + pauseMs);',
    put: '',
    spec: searchSpec,
  },
  {
    breaks: 'passages are sent although the budget is spent',
    file: step,
    find: 'await this.calls.hold(scope, call, { texts, withinMs: budgetMs });',
    put: '',
    spec: stepSpec,
  },
  {
    breaks: 'what a dead worker asked is written down by nobody',
    file: step,
    find: 'if (kept) this.calls.record(tx, scope, call, mayBeUsed(inputTokens));',
    put: '',
    spec: stepSpec,
  },
  {
    breaks: 'what a dead worker gets after all is told twice',
    file: step,
    find: 'if (!(await this.embeddings.release(scope, row, set, tx))) return;',
    put: 'await this.embeddings.release(scope, row, set, tx);',
    spec: stepSpec,
  },
  {
    breaks: 'vectors of another model stay where another one is named',
    file: step,
    find: 'isForgetting: true, ...begun',
    put: 'isForgetting: false, ...begun',
    spec: stepSpec,
  },
  {
    breaks: 'vectors of other dimensions are stored beside the others',
    file: step,
    find: 'row.dimensions !== null && row.dimensions !== dimensions',
    put: 'false',
    spec: stepSpec,
  },
  {
    breaks: 'an embedding counts as an answer',
    file: 'services/billing/src/ledger/spend.ts',
    find: "attempts: kind === 'embedding' ? 0 : 1,",
    put: 'attempts: 1,',
    spec: ledgerSpec,
  },
];
