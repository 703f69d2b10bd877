export const faults = [
  {
    breaks: 'Of many who add at once, more get in than there is room for',
    file: './stocks.ts',
    find: 'await rows.change({ _id: counterId(scope, key) }, { $inc: { changes: 1 } })',
    put: 'await rows.findById(counterId(scope, key))',
  },
  {
    breaks: 'A limit that a platform admin set for an organisation does not hold',
    file: './stocks.ts',
    within: 'admit',
    find: 'ceilingOf(own, quota)',
    put: 'ceilingOf(null, quota)',
  },
  {
    breaks: 'A limit that was set for each person of an organisation does not hold',
    file: './stocks.ts',
    within: 'admit',
    find: 'userId === undefined ? guard : await rows.findById(counterId(scope, { stock: quota }))',
    put: 'guard',
  },
  {
    breaks: 'Platform admins see how many there were at the last upgrade, not how many there are',
    file: './stocks.ts',
    within: 'show',
    find: 'await counting.count(this.mongo, scope, tx)',
    put: 'row?.used ?? 0',
  },
  {
    breaks: 'The last one that there is room for is refused',
    file: './stocks.ts',
    within: 'admit',
    find: '(await count(this.mongo, scope, tx)) > ceiling',
    put: '(await count(this.mongo, scope, tx)) >= ceiling',
  },
  {
    breaks: 'A program that meets a full quota comes back each hour for nothing',
    file: './stocks.ts',
    within: 'stockFull',
    find: 'problemCatalogue[problem].status !== 409 && { retryAfterSeconds: stockRetrySeconds }',
    put: '{ retryAfterSeconds: stockRetrySeconds }',
  },
];
