select id,k,n from a
select a.id,b.v from a join b on b.aid=a.id
select a.id,b.v,b.id from a left join b on b.aid=a.id
select b.v,a.id from b right join a on b.aid=a.id
select a.id,b.v,c.v from a left join (b join b c on c.id=b.id) on b.aid=a.id
select a.id,b.v,e.v from a left join b on b.aid=a.id left join e on e.id=b.id
select a.id,e.v from a left join e on e.id=1 where a.id=1
select a.id,b.v from a left join b on 1=0
select a.id,x.v,x.c from a left join (select aid,v,1 as c from b) x on x.aid=a.id
select a.id,x.c,x.m from a left join (select aid,count(*) c,max(v) m from b group by aid) x on x.aid=a.id
select a.id,x.one from a left join (select id,1 as one from b) x on x.id=a.id
select a.id,x.cc from a left join (select aid,coalesce(v,0) cc from b) x on x.aid=a.id
with x as (select aid,v from b) select a.id,x.v from a left join x on x.aid=a.id
select a.id,x.c from a left join (select id,count(*) c from e group by id) x on x.id=a.id
select * from (select a.id,b.v from a left join b on b.aid=a.id) x
select * from (select a.id,b.v from a left join b on b.aid=a.id limit 10) x
with x as (select a.id,b.v from a left join b on b.aid=a.id) select * from x
select id,s,n from v1
select id,v,d from v2
select id,v from v3
select v,d,cv from v4
select a.id,v1.s from a left join v1 on v1.id=a.id+1
select a.id,v4.cv from a left join v4 on v4.v=a.id
select id from a union all select null
select null union select id from a
select id from a union all select v from b
select id from a union all select n from a
with recursive r as (select 1 as n union all select n+1 from r where n<3) select n from r
with recursive r as (select 1 as n, 1 as i union all select null, i+1 from r where i<3) select n,i from r
with recursive r as (select id as n,1 i from a where id=1 union all select nullif(n,1),i+1 from r where i<3) select n from r
select k,count(*),max(v) from a join b on b.aid=a.id group by k
select k,count(*) from a group by k with rollup
select k,s,count(*) from a group by k,s with rollup
select k+0,upper(s),count(*) from a group by k+0,upper(s) with rollup
select concat(s,'!'),ifnull(s,'T'),count(*) from a group by s with rollup
select * from (select k,count(*) c from a group by k with rollup) x
select 1 as one,count(*) from a group by one with rollup
select s,sum(k) from a group by s with rollup order by s
select id,count(*) from a group by id with rollup
select min(v),max(v),sum(v),avg(v),count(v),count(*) from e
select group_concat(s),bit_and(v),bit_or(v),std(v),var_samp(v) from e
select json_arrayagg(v) from e
select json_objectagg(s,v) from e
select min(id) from e where id=5
select max(v), 1, 'x' from e
select id,v,count(*) from e where id=5
select any_value(id),count(*) from e
select id,s,count(*) from e
select id+1,concat(s,'x'),coalesce(id,0),count(*) from e
select x.id,count(*) from (select id from e) x
select id,count(*) from a where id=1
select (select v from e where id=1)
select (select v from b where id=1)
select id,(select v from b where b.aid=a.id) from a
select (select count(*) from e)
select (select 1 from e limit 1)
select (select 1)
select (select 1 where 1=0)
select (select 1 from dual where false)
select (select count(*) from e having count(*)>0)
select (select count(*) from e limit 0)
select (select count(*) from e limit 1 offset 1)
select (select count(*) from e group by v)
select (select 1 where 1=0 union select 2 where 1=0)
select exists(select 1 from e), not exists(select 1 from e)
select 1 in (select n from a), id in (select id from a) from a
select k in (1,2), k in (9,null), n in (1) from a
select k = any(select v from e), k > all(select v from e) from a
select case when k=1 then 1 end from a
select case when k=1 then 1 else 2 end from a
select case k when 1 then s else null end from a
select coalesce(n,0),ifnull(n,0) from a
select coalesce(n,n),ifnull(n,n) from a
select coalesce(k,n),ifnull(k,n) from a
select nullif(k,1) from a
select if(k=1,1,2),if(n,1,2) from a
select if(k=1,k,null) from a
select isnull(n), n is null, n is not null, n<=>null from a
select k+1,k*2,k-id from a
select k/0, k div 0, k % 0, mod(k,0) from a
select k/2, k div 2, k % 2 from a
select -k, ~k, k&1, k<<1 from a
select sqrt(-k),log(0*k),ln(-k),pow(k,2),acos(k+5) from a
select abs(k),ceil(k),floor(k),round(k),sign(k),truncate(k,0) from a
select cast(s as signed),cast(s as unsigned),cast(s as decimal(10,2)),s+0 from a
select cast(s as date),cast(s as datetime),cast(s as time) from a
select cast('foo' as date),date('foo'),timestamp('foo'),time('foo')
select year(d),month(d),date(d),date_add(d,interval 1 day),dayname(d),to_days(d),unix_timestamp(d),date_format(d,'%Y'),last_day(d) from a
select date_add(d,interval 9000 year) from a
select year(s),date_add(s,interval 1 day),str_to_date(s,'%Y'),to_days(s),date_format(s,'%Y'),unix_timestamp(s),last_day(s),dayname(s) from a
select makedate(2000,-k),maketime(1,99,k),from_unixtime(-k),sec_to_time(k),from_days(k),period_add(200001,k) from a
select timestampdiff(day,d,d),datediff(d,d),timediff(d,d),datediff(s,s) from a
select convert_tz(d,'Nowhere/X','UTC') from a
select json_extract(j,'$.nope'),j->'$.nope' from a
select json_extract(j,'$.nope') from a
select json_value(j,'$.q'),json_unquote(json_extract(j,'$.q')) from a
select json_length(j,'$.nope'),json_type(j),json_valid(j),json_depth(j),json_keys(j,'$.q'),json_contains(j,'1','$.zz'),json_search(j,'one','zz') from a
select json_object('a',k),json_array(k),json_set(j,'$.a',1),json_merge_patch(j,j),json_quote(s) from a
select lag(k) over(order by id),lead(k) over(order by id),lag(k,1,0) over(order by id) from a
select first_value(k) over(order by id),last_value(k) over(order by id),nth_value(k,2) over(order by id) from a
select first_value(k) over(order by id rows between 5 preceding and 3 preceding) from a
select sum(k) over(),count(*) over(),max(k) over(partition by id),avg(k) over() from a
select sum(k) over(order by id rows between 5 preceding and 3 preceding),max(k) over(order by id rows between 5 preceding and 3 preceding) from a
select row_number() over(order by id),rank() over(order by id),dense_rank() over(order by id),ntile(2) over(order by id),cume_dist() over(order by id),percent_rank() over(order by id) from a
select a.id,b.v from a left join b on b.aid=a.id order by b.d desc, a.s
select distinct a.id,b.v from a left join b on b.aid=a.id
select b.v,count(*) from a left join b on b.aid=a.id group by b.v
select a.id,max(b.v),min(b.v) from a left join b on b.aid=a.id group by a.id
select a.id,x.one from a left join (select id,'lit' as one from b) x on x.id=a.id order by rand()
select distinct x.one from a left join (select id,1 as one from b) x on x.id=a.id
select dt,ts,dd from z
select year(dt),date(dt),date_add(dt,interval 1 day),unix_timestamp(dt),date_format(dt,'%Y'),dayname(dt),to_days(dt),last_day(dd),weekday(dd) from z
select dt is null from z where dt is null
select g,g3 from z
select g2 from z
select @nope,@uu:=k from a
select fnn(1)
select last_insert_id(),row_count(),found_rows(),connection_id()
select database(),user(),version(),now(),uuid(),rand(),current_user(),curdate(),utc_timestamp(6)
select 1,'a',null,1.5,1e0,true,x'41',date'2024-01-01',time'10:00:00'
select concat(s,'x'),upper(s),trim(s),left(s,1),substring(s,1,1),replace(s,'a','b'),reverse(s),length(s),char_length(s),hex(s),lower(s),concat_ws(',',s,s),md5(s),sha2(s,256) from a
select concat(s,'x'),upper(s),trim(s),left(s,1),substring(s,1,1),replace(s,'a','b'),reverse(s),length(s),char_length(s),hex(s),concat_ws(',',s,s),sha2(s,256) from a
select elt(5,s),unhex(concat('z',s)),repeat(s,1),space(1),lpad(s,-1,'x'),insert(s,1,1,'z'),substring_index(s,'.',1),inet_aton(s),conv(s,99,10),field(s,'a'),find_in_set(s,'a') from a
select sha2(s,123),from_base64('!!'),uncompress('zz'),load_file('/nope'),aes_decrypt('x','y') from a
select char(k),ascii(s),format(k,2),bin(k),oct(k) from a
select k=1,k<2,s like 'x%',k between 1 and 2,s regexp 'x',not k,k and id,k xor id from a
select n=1,n and 0,n or 1,k=null from a
select greatest(k,id),least(k,n) from a
select interval(n,1,2),strcmp(s,s) from a
select u-0 from a
select * from (values row(1,null),row(2,3)) x
select * from (values (1,null),(2,3)) x
values (1),(null)
values row(1),row(null)
select jt.* from json_table('[{"x":1},{}]','$[*]' columns(ord for ordinality, x int path '$.x', y int exists path '$.x')) jt
select jt.* from json_table('[{"x":1},{}]','$[*]' columns(x int path '$.x' default '7' on empty)) jt
select a.id,x.v from a left join lateral (select v from b where b.aid=a.id limit 1) x on true
select a.id,x.c from a, lateral (select count(*) c from b where b.aid=a.id) x
select ?
select k+? from a
select coalesce(?,0)
select id,aid,v from a left join b using(id)
select id from b right join a using(id)
select a.id,b.v from a straight_join b on b.aid=a.id
select a.id,b.v from a left join b on b.aid=a.id where b.v>0
select id from a intersect select v from b
select id from a except select n from a
select * from (select max(v) m, count(*) c from e) x
select group_concat(s) from a group by k
select bit_or(k),std(k),var_samp(k) from a group by id
select sum(k),avg(k),min(s),max(d) from a group by id
select count(distinct k,s) from a
select table_name,table_rows,engine,create_time from information_schema.tables where table_schema='test' limit 3
select st_x(point(1,2)),st_geomfromtext('POINT(1 1)'),st_astext(point(1,1))
select s,grouping(s),count(*) from a group by s with rollup
with r as (select k,count(*) c from a group by k with rollup) select a.id,r.k,r.c from a left join r on r.k=a.k
select * from vr
select x.y from a left join (select t.one as y,t.id from (select 1 as one,id from e) t) x on x.id=a.id
select x.y,x.w,x.p from a left join (select id,now() as y,concat('a','b') w,pi() p from e) x on x.id=a.id
select x.y,x.z,x.w from a left join (select id,id is null as y,exists(select 1) as z,count(*) over() as w from e) x on x.id=a.id
select x.y from a left join (select id,v is null as y from e) x on x.id=a.id
select vl.one from a left join vl on vl.id=a.id
with c as (select id,7 as lit from e) select c.lit,count(*) from a left join c on c.id=a.id group by c.lit
select max(x.one) from a left join (select id,1 as one from e) x on x.id=a.id
select if(1,x.one,2),coalesce(x.one,5),concat(x.one,'z') from a left join (select id,1 as one from e) x on x.id=a.id
select dd,cast(dd as char),dd+0 from z
select 1 from e having count(*)>=0
select last_value(id) over() from a
select dt, dt is null from z where dt is null
select g,g2 from z
select json_extract(j,'$.nope'),json_value(j,'$.q'),json_query(j,'$.zz'),json_unquote(json_extract(j,'$.q')),json_length(j,'$.nope') from a
select lag(k) over(order by id),lead(k,2) over(order by id) from a
select 1
select dd,count(*) from z group by dd with rollup
select k+1, s from a group by k,s with rollup
select distinct k from a group by k with rollup
select k from a group by k with rollup limit 10
select k from a group by k with rollup union all select 1
with r as (select k from a group by k with rollup) select * from r
select (select max(k) from a group by k with rollup limit 1)
select a.id, max(b.v) from a join b on b.aid=a.id group by a.id with rollup
select v1.id,v1.s,count(*) from v1 where v1.id=99
with x as (select id,s from e) select x.id,x.s,count(*) from x
with x as (select id,s from e limit 10) select x.id,x.s,count(*) from x
select a.id,e.v,count(*) from a join e on e.id=a.id
select x.id+1, x.lit, count(*) from (select id,1 lit from e) x
select max(x.lit),x.lit from (select id,1 lit from e) x
select (select x.lit from (select 1 lit from e) x)
select x.q from a left join (select b.id, isnull(e.id) q from b left join e on e.id=b.id) x on x.id=a.id
select x.one from a left join (select id,1 one from e) x on x.id=a.id union all select 5
select * from (select x.one from a left join (select id,1 one from e) x on x.id=a.id) y
select * from (select x.one from a left join (select id,1 one from e) x on x.id=a.id limit 9) y
select coalesce(x.one) from a left join (select id,1 one from e) x on x.id=a.id
select x.one+1 from a left join (select id,1 one from e) x on x.id=a.id
select x.one from (select id,1 one from e) x right join a on x.id=a.id
select x.one from a left join (select id,1 one from e) x on x.id=a.id where x.one is null
select x.one from a left join (select distinct id,1 one from e) x on x.id=a.id
select x.one from a left join (select id,1 one from e limit 10) x on x.id=a.id
select x.c from a left join (select count(*) c, 5 id) x on x.id=a.id
select x.c from a left join (select 1 c) x on x.c=a.id+100
select x.column_0 from a left join (values row(1)) x on x.column_0=a.id+100
select x.* from a left join (values (1)) x on x.`1`=a.id+100
select jt.o,jt.x from a left join json_table('[1]','$[*]' columns(o for ordinality, x int exists path '$')) jt on jt.o=a.id+100
select x.e from a left join (select id,'q' e, 1.5 f, now(6) g, rand() h, uuid() u from e) x on x.id=a.id
select ifnull(k,null), coalesce(null,k) from a
select sum(k) from a group by k having sum(k)>0
select n from a where n is not null
select nullif(1,2)
select regexp_replace(s,'x','y'),regexp_instr(s,'x'),regexp_substr(s,'zz') from a
select cast(k as signed),cast(k as char),cast(k as decimal(10,2)),cast(k as double),cast(s as char(1)),convert(s using latin1),cast(s as binary) from a
select addtime(d,'01:00:00'),subdate(d,1),now()+interval 1 day,curtime(),sysdate(),maketime(1,1,1),time_to_sec('01:00:00'),time_format('10:00:00','%H'),microsecond('10:00:00.1')  from a
select n is true, n is unknown, k in (1,2), k not in (1), k between 1 and 2, n is not true from a
select k|id,k^id,~k,k<<1,-k,k-1 from a
select sleep(0),benchmark(1,1),get_lock('pfx',0),release_lock('pfx'),is_free_lock('pfx')
select @@version,@@sql_mode,@@autocommit,@@last_insert_id,@@session.time_zone,schema()
select year(dt),date(dt),date_add(dt,interval 1 day),unix_timestamp(dt),date_format(dt,'%Y'),dayname(dt),to_days(dt),last_day(dd),weekday(dd),monthname(dd),dayofweek(dd),yearweek(dd),week(dd),hour(dt),quarter(dd),extract(month from dd) from z
select insert(s,1,1,'z'),substring_index(s,'.',1),lpad(s,5,'x'),make_set(k,'a','b'),export_set(k,'1','0'),soundex(s),quote(s),to_base64(s),bit_length(s),bit_count(k),crc32(s),inet_ntoa(k),locate('x',s),position('x' in s),instr(s,'x') from a
