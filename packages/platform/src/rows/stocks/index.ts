export { stockCounterRows } from './stock-counter.collection.ts';
export { fillStockCounters, recountStocks, type Recount, type StockSource } from './stock-sources.ts';
export { stockFull, Stocks, type CountedQuota, type Stock, type StockKey } from './stocks.ts';
