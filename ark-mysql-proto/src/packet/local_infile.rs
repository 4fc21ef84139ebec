//! [LOCAL INFILE request](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_local_infile_request.html):
//! the server asks for a file of the client's. It gets an empty one, unless the query that it answers came with one: then it gets that, whatever name it asks for.

/// The first byte of the request. A file name follows; nobody looks at it.
pub(crate) const HEADER: u8 = 0xfb;
