export const faults = [
  {
    breaks: 'A filter that names another tenant wins over the scope',
    file: './scoped-rows.ts',
    find: 'isApart ? { ...own, ...filter } : { $and: [own, filter] }',
    put: '{ ...own, ...filter }',
  },
  {
    breaks: 'An update reaches rows of other tenants',
    file: './scoped-rows.ts',
    within: 'update',
    find: 'this.mine(filter)',
    put: 'filter as never',
  },
  {
    breaks: 'Groups count rows of other tenants',
    file: './scoped-rows.ts',
    within: 'countBy',
    find: 'this.mine(filter)',
    put: 'filter as never',
  },
  {
    breaks: 'An update of many rows reaches other tenants',
    file: './scoped-rows.ts',
    within: 'updateMany',
    find: 'this.mine(filter)',
    put: 'filter as never',
  },
  {
    breaks: 'A deletion of many rows reaches other tenants',
    file: './scoped-rows.ts',
    within: 'deleteMany',
    find: 'this.mine(filter)',
    put: 'filter as never',
  },
  {
    breaks: 'A count includes rows of other tenants',
    file: './scoped-rows.ts',
    within: 'count',
    find: 'this.mine(filter)',
    put: 'filter as never',
  },
  { breaks: 'A unit of work reads outside its transaction', find: 'session: tx?.session', put: 'session: undefined' },
];
