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
    within: 'writeAll',
    find: 'this.mine(each.filter)',
    put: 'each.filter as never',
  },
  {
    breaks: 'Groups count rows of other tenants',
    file: './scoped-rows.ts',
    within: 'countBy',
    find: 'this.mine(filter)',
    put: 'filter as never',
  },
  {
    breaks: 'A deletion reaches rows of other tenants',
    file: './scoped-rows.ts',
    within: 'remove',
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
